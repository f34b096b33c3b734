// The normalised path of a script: `https://shop.example/app.js?x`, `~/app.js` and `app.js` are `/app.js`.

export function scriptPath(text: string): string {
  const plain = text.split(/[?#]/, 1)[0] ?? ''
  const path = plain.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/^~/, '')
  return `/${path.replace(/^\.?\/+/, '')}`
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A pattern that PostgreSQL supports too. A word in lower case is not a hash. */
export const buildHash = /[.-](?=[^.]*[0-9A-Z])[0-9a-zA-Z_-]{8,}(?=\.[cm]?js$)/

/** A bundler's hash in the name: the same name is then the same file, whatever version is stated. */
export function isHashed(name: string): boolean {
  return buildHash.test(name)
}

/**
 * Whether one path ends with the whole of the other: a CDN adds folders in front of the path that the build knows.
 */
export function isSamePath(left: string, right: string): boolean {
  return left === right || left.endsWith(right) || right.endsWith(left)
}

/** The name without the hash, which is the same in every build. */
export function withoutHash(name: string): string {
  return name.replace(buildHash, '')
}
