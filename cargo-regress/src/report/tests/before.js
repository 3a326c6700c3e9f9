// Runs before the script of the page: notes faults, and what is copied.
window.faults = []; window.copied = [];
addEventListener('error', (event) => faults.push(String(event.message)));
addEventListener('securitypolicyviolation', (event) => faults.push(event.violatedDirective));
Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied.push(text); } } });
