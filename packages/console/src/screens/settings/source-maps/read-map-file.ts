export interface ChosenMap {
  readonly file: File
  /** The file name of the script: `app-B7c1f0aZ.js`. */
  readonly name: string
  readonly debugId: string | undefined
  /** Why it cannot be uploaded. */
  readonly fault: string | undefined
}

/** Checks whether a selected file is a source map, and reads the name of its script. */
export async function readMapFile(file: File): Promise<ChosenMap> {
  const name = file.name.replace(/\.map$/, '')
  const chosen = { file, name, debugId: undefined, fault: undefined }
  let content: unknown
  try {
    content = JSON.parse(await file.text())
  } catch {
    return { ...chosen, fault: 'Not a source map: invalid JSON.' }
  }
  if (!isMap(content)) return { ...chosen, fault: 'Not a source map of version 3 with mappings.' }
  const debugId = [content.debugId, content.debug_id].find(isUuid)
  return { ...chosen, debugId }
}

/** The path of a script in a folder of the site. */
export function pathIn(folder: string, name: string): string {
  return `/${[...folder.split('/'), name].filter(Boolean).join('/')}`
}

function isMap(content: unknown): content is Record<string, unknown> {
  return (
    typeof content === 'object' &&
    content !== null &&
    'version' in content &&
    content.version === 3 &&
    ('mappings' in content || 'sections' in content)
  )
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
}
