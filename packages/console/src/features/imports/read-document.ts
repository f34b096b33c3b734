export interface ChosenDocument {
  name: string
  size: number
  /** Undefined if the file is not JSON. The server validates the content. */
  content: { json: unknown } | undefined
}

export async function readDocument(file: File): Promise<ChosenDocument> {
  const { name, size } = file
  try {
    return { name, size, content: { json: JSON.parse(await file.text()) } }
  } catch {
    return { name, size, content: undefined }
  }
}
