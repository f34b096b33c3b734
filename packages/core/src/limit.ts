export interface Limit {
  value: number
  unit: 'ms' | 'bytes' | 'characters' | 'items' | 'days' | 'requests'
  reason: string
  /** An installation may set another value through this environment variable. */
  setting?: string
}
