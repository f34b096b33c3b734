export interface ChosenDocument<Document> {
  name: string
  size: number
  /** Undefined if the file is not JSON. */
  content: { json: Document } | undefined
}

/** The server validates the content, whatever its type is here. */
export async function readDocument<Document>(file: File): Promise<ChosenDocument<Document>> {
  const { name, size } = file
  try {
    return { name, size, content: { json: JSON.parse(await file.text()) } }
  } catch {
    return { name, size, content: undefined }
  }
}
