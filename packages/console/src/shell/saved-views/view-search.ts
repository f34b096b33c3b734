// What of an address is a view: its parameters without the environment, which every screen keeps, and without what is
// open at the moment.

const passing = ['env', 'peek', 'new']

/** Comparable: sorted by name. `text` as in an address, with or without `?`. */
export function viewSearchOf(text: string): string {
  const parameters = new URLSearchParams(text)
  for (const name of passing) parameters.delete(name)
  parameters.sort()
  return parameters.toString()
}
