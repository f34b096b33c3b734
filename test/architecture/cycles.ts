/** The first cycle met from each file, every cycle once, beginning and ending with the same file. */
export function findCycles(edges: Map<string, string[]>): string[][] {
  const cycles: string[][] = []
  const finished = new Set<string>()
  const path: string[] = []

  function visit(file: string): void {
    if (finished.has(file)) return
    const since = path.indexOf(file)
    if (since >= 0) {
      cycles.push([...path.slice(since), file])
      return
    }
    path.push(file)
    for (const next of edges.get(file) ?? []) visit(next)
    path.pop()
    finished.add(file)
  }

  for (const file of edges.keys()) visit(file)
  return cycles
}
