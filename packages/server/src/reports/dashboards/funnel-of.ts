import type { FunnelTile } from '@telltale/core/contract/dashboard-tiles'

/** The funnel that a tile measures, without its place and filter. */
export const funnelOf = ({
  steps,
  unit,
  window,
  by,
}: FunnelTile): Pick<FunnelTile, 'steps' | 'unit' | 'window' | 'by'> => ({
  steps,
  ...(unit !== undefined && { unit }),
  ...(window !== undefined && { window }),
  ...(by !== undefined && { by }),
})
