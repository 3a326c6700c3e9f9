'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const articles = [...document.querySelectorAll('article.difference')];
  const said = $('said');
  let silence = 0;
  const say = (text) => {
    said.textContent = text;
    clearTimeout(silence);
    silence = setTimeout(() => { said.textContent = ''; }, 1500);
  };

  // Pages that are opened from a file may not have the clipboard; a selection always can be copied.
  const copyBySelection = (text) => {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  };
  const copy = async (button) => {
    const text = button.dataset.copy;
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      done = copyBySelection(text);
    }
    button.focus({ preventScroll: true });
    say(done ? 'Copied' : 'This browser does not let pages copy');
  };
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button.copy');
    if (button) copy(button);
  });

  const filter = $('filter');
  filter.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const group of document.querySelectorAll('nav details')) {
      let shown = 0;
      for (const item of group.querySelectorAll('li')) {
        item.hidden = !item.textContent.toLowerCase().includes(wanted);
        shown += item.hidden ? 0 : 1;
      }
      group.hidden = shown === 0;
    }
  });

  // The difference that the reader is at: the one with the focus, else the last one whose beginning was passed.
  const current = () => {
    const focused = document.activeElement?.closest?.('article.difference');
    if (focused) return articles.indexOf(focused);
    return articles.findLastIndex((article) => article.getBoundingClientRect().top < 24);
  };
  const go = (index) => {
    const article = articles[Math.max(0, Math.min(articles.length - 1, index))];
    if (!article) return;
    article.focus({ preventScroll: true });
    article.scrollIntoView({ block: 'start' });
    mark(article.id);
  };
  const mark = (id) => {
    for (const link of document.querySelectorAll('nav a[aria-current]')) link.removeAttribute('aria-current');
    document.querySelector(`nav a[href="#${id}"]`)?.setAttribute('aria-current', 'true');
  };
  const arrive = () => {
    const target = $(location.hash.slice(1));
    if (!target) return;
    if (target.matches('details')) target.open = true;
    if (target.matches('article, section')) target.focus({ preventScroll: true });
    mark(target.id);
  };
  addEventListener('hashchange', arrive);
  arrive();

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches('input, textarea')) {
      if (event.key === 'Escape') { filter.value = ''; filter.dispatchEvent(new Event('input')); filter.blur(); }
      return;
    }
    const actions = {
      j: () => go(current() + 1),
      k: () => go(current() - 1),
      c: () => { const button = articles[Math.max(0, current())]?.querySelector('button.copy'); if (button) copy(button); },
      '/': () => filter.focus(),
      '?': () => { const keys = $('keys'); if (keys.open) keys.close(); else keys.showModal(); },
    };
    const action = actions[event.key];
    if (action) { event.preventDefault(); action(); }
  });
})();
