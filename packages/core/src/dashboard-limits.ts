export const dashboardLimits = {
  dashboardsPerProject: {
    value: 2_000,
    unit: 'items',
    reason: 'Several for every team; a list stays usable.',
  },
  dashboardTiles: { value: 40, unit: 'items', reason: 'Each tile is a query; more is not a screen.' },
  dashboardTextLength: { value: 5_000, unit: 'characters', reason: 'A note beside charts, not a document.' },
} as const
