import { createContext } from 'react'
import type { FlagMarker } from '../../charts/time-chart.tsx'

/** Flag changes and deploys on the charts of tiles; none on a dashboard that is shared outside. */
export const TileMarkers = createContext<readonly FlagMarker[]>([])
