import type { Role } from '../../api/roles.ts'

/** The name of a role; its key while the roles are loading. */
export function nameOfRole(roles: readonly Role[], key: string): string {
  return roles.find((role) => role.key === key)?.name ?? key
}

/** Every role as an option; the current one also while the roles are loading. */
export function roleOptions(
  roles: readonly Pick<Role, 'key' | 'name'>[],
  current: string,
): { value: string; label: string }[] {
  const options = roles.map(({ key, name }) => ({ value: key, label: name }))
  return options.some(({ value }) => value === current)
    ? options
    : [...options, { value: current, label: current }]
}
