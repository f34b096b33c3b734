export function groupName(values: readonly string[] | null): string {
  if (values === null) return 'Other'
  return values.length === 0 ? 'All' : values.map((value) => value || 'none').join(', ')
}
