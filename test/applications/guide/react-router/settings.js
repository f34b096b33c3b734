// Imported before the code of the guide, which has its settings in its text.

const { TELLTALE_URL: url, TELLTALE_CLIENT_KEY: key } = process.env
Reflect.set(globalThis, 'settings', { url, key })
