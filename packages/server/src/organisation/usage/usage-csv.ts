import { toCsvLine } from '../audit/csv.ts'
import { groupsIn, type UsageQuery, type UsageReply } from './read-usage.ts'

type Row = UsageReply['rows'][number]
type Columns = Readonly<Record<string, (row: Row) => string | number | null>>

const byGroup: Readonly<Record<'day' | 'environment' | 'key' | 'application', Columns>> = {
  day: { day: ({ day }) => day },
  environment: { environment: ({ environment }) => environment },
  key: { keyId: ({ key }) => key?.id ?? null, keyLabel: ({ key }) => key?.label ?? null },
  application: { application: ({ application }) => application },
}
const ofProject: Columns = { project: ({ project }) => project }
const always: Columns = { kind: ({ kind }) => kind, count: ({ count }) => count }

export function usageCsv({ rows }: UsageReply, query: UsageQuery, hasProject: boolean): string {
  const groups = [...groupsIn(query)].map((group) => byGroup[group])
  const columns = Object.entries(Object.assign({}, hasProject ? ofProject : {}, ...groups, always) as Columns)
  const lines = rows.map((row) => toCsvLine(columns.map(([, read]) => read(row))))
  return [toCsvLine(columns.map(([name]) => name)), ...lines].join('')
}
