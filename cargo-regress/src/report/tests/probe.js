// Runs after the script of the page: looks at it, presses keys, and writes what it found into the page.
(async () => {
  const key = (name, target = document.activeElement ?? document.body) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  const at = () => document.activeElement?.id ?? '';
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(Number).map((x) => x / 255)
      .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const color = getComputedStyle(up).backgroundColor;
      if (!/, 0\)$/.test(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  // WCAG 2.2, 1.4.3: text has a contrast of at least 4.5 to what is behind it.
  const pale = [];
  for (const element of document.querySelectorAll('body :not(script):not(style)')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.closest('svg')) continue;
    const [light, dark] = [luminance(getComputedStyle(element).color), luminance(ground(element))].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) pale.push(`${element.tagName}.${element.className} ${contrast.toFixed(2)}`);
  }
  const found = {
    pale: [...new Set(pale)],
    dark: luminance(getComputedStyle(document.body).backgroundColor) < 0.2,
    wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    articles: document.querySelectorAll('article.difference').length,
    strangers: [...document.querySelectorAll('main i:not(.key i), img, iframe, script[src], link[href^=http]')].length,
    unnamed: [...document.querySelectorAll('button, a, input, summary')].filter((element) =>
      !(element.textContent.trim() || element.labels?.[0]?.textContent.trim())).length,
    dead: [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href').slice(1))
      .filter((id) => !document.getElementById(id)),
  };
  found.keys = [];
  for (const name of ['j', 'j', 'k']) { key(name); found.keys.push(at()); }
  key('c'); await 0;
  key('/'); found.keys.push(at());
  const filter = document.getElementById('filter');
  filter.value = 'FEE'; filter.dispatchEvent(new Event('input'));
  found.filtered = [...document.querySelectorAll('nav li')].filter((item) => item.checkVisibility()).map((item) => item.textContent);
  key('Escape', filter); found.keys.push(at());
  key('?', document.body); found.help = document.getElementById('keys').open;
  document.getElementById('keys').close();
  for (const button of document.querySelectorAll('button.copy')) button.click();
  await new Promise((done) => setTimeout(done, 50));
  found.copied = copied;
  found.said = document.getElementById('said').textContent;
  location.hash = '#REG0001';
  await new Promise((done) => setTimeout(done, 50));
  found.opened = document.getElementById('REG0001')?.open ?? false;
  found.faults = faults;
  const result = document.createElement('pre');
  result.id = 'found';
  result.textContent = 'FOUND' + btoa(unescape(encodeURIComponent(JSON.stringify(found)))) + 'END';
  document.body.append(result);
})();
