// A method of the browser's, replaced by one that calls it.

export function replaceMethod<Owner extends object, Name extends keyof Owner>(
  owner: Owner | undefined,
  name: Name,
  replace: (original: Owner[Name]) => Owner[Name],
): void {
  const original = owner?.[name]
  if (owner && typeof original === 'function') owner[name] = replace(original)
}
