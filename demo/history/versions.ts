/** Versions of the shop; the week contains both. */
export const versions = { old: '3.8.4', new: '3.9.0' } as const

/** How long before the end of the week the new one was deployed, in milliseconds. */
export const newVersionAgo = 3.2 * 86_400_000
