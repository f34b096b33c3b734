export const savedViewLimits = {
  savedViewLength: {
    value: 4_000,
    unit: 'characters',
    reason: 'The parameters of an address with a long filter.',
  },
  savedViews: {
    value: 200,
    unit: 'items',
    reason: 'Of a person in a project, and shared ones in a project: a menu, not an archive.',
  },
} as const
