/** Versions of the shop; the week contains both. */
export const versions = { old: '3.8.4', new: '3.9.0' } as const
