// The path of a script, as maps and stacks name it: `https://shop.example/app.js?x`, `~/app.js` and `app.js` are `/app.js`.

export function scriptPath(text: string): string {
  const plain = text.split(/[?#]/, 1)[0] ?? ''
  const path = plain.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/^~/, '')
  return `/${path.replace(/^\.?\/+/, '')}`
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** What PostgreSQL understands too. A word in small letters is none. */
export const buildHash = /[.-](?=[^.]*[0-9A-Z])[0-9a-zA-Z_-]{8,}(?=\.[cm]?js$)/

/** A bundler's hash in the name: the same name is the same file then, whatever version it is said to be of. */
export function isHashed(name: string): boolean {
  return buildHash.test(name)
}

/** Whether one of two paths ends with the whole other one: a CDN puts folders before what a build knows. */
export function isSamePath(left: string, right: string): boolean {
  return left === right || left.endsWith(right) || right.endsWith(left)
}

/** The name as every build of the script has it. */
export function withoutHash(name: string): string {
  return name.replace(buildHash, '')
}
