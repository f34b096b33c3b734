import { useQuery } from '@tanstack/react-query'
import { type Metric, metricsQuery } from '../../api/metrics.ts'
import { useScope } from '../../shell/scope-context.ts'
import { metricLabel } from '../../ui/text/effect-text.ts'

export interface KnownMetrics {
  nameOf: (key: string) => string
  find: (key: string) => Metric | undefined
}

/** A deleted metric is still recognised by its key. */
export function useKnownMetrics(): KnownMetrics {
  const { project } = useScope()
  const metrics = useQuery(metricsQuery(project))
  const find = (key: string) => metrics.data?.find((metric) => metric.key === key)
  return { find, nameOf: (key) => metricLabel({ metric: key, name: find(key)?.name ?? key }) }
}
