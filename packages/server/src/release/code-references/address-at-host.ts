/** Where the host of a repository shows a line, by the template of the upload. */
export function addressAtHost(
  link: string | null,
  place: { file: string; line: number; commit: string; branch: string },
): string | null {
  if (link === null) return null
  const parts: Record<string, string> = {
    file: place.file.split('/').map(encodeURIComponent).join('/'),
    line: String(place.line),
    commit: encodeURIComponent(place.commit),
    branch: place.branch.split('/').map(encodeURIComponent).join('/'),
  }
  return link.replace(/\{(file|line|commit|branch)\}/g, (_, name: string) => parts[name] ?? '')
}
