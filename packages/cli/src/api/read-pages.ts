interface Page<Item> {
  items: readonly Item[]
  next: string | null
}

/** Everything in a list that the server sends in pages. */
export async function readPages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    items.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return items
}
