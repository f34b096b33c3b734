// What of an address is a saved view: its parameters without the environment, which every screen keeps, and without
// what is open at the moment.

const passing = ['env', 'peek', 'new']

/** Comparable: sorted by name. `text` as in an address, with or without `?`. */
export function viewSearchOf(text: string): string {
  const parameters = new URLSearchParams(text)
  for (const name of passing) parameters.delete(name)
  parameters.sort()
  return parameters.toString()
}

/** The time range stays from screen to screen: alone it is no choice of what is listed. */
export function withoutTime(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.delete('t')
  return parameters.toString()
}

/** Whether an address is a view: a view without a time range is any time range. */
export function isView(view: string, search: string): boolean {
  return view === search || (view === withoutTime(view) && view === withoutTime(search))
}
