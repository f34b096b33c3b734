export interface Limit {
  value: number
  unit: 'ms' | 'bytes' | 'characters' | 'items' | 'days' | 'requests' | 'share'
  reason: string
  /** The environment variable that overrides the value for an installation. */
  setting?: string
}
