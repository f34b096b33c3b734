import type { TriedFlag } from '../../../api/flag-configs.ts'
import { TraceView } from '../../../ui/trace/trace-view.tsx'
import { Variation } from '../../../ui/variation.tsx'
import type { RuleDraft } from './draft.ts'
import { useTargeting } from './targeting-context.ts'

/** The served variation, with every step of the server's evaluation. */
export function TrialAnswer({ tried, rules }: { tried: TriedFlag; rules: readonly RuleDraft[] }) {
  const { variations } = useTargeting()
  const names = new Map(rules.map(({ id, description }) => [id, description]))
  return (
    <div className="grid gap-10">
      {tried.variation === null ? (
        <p className="font-medium">{errorText(tried.errorCode)}</p>
      ) : (
        <p className="flex min-w-0 items-center gap-8">
          <span className="text-text-2">gets</span>
          <b className="flex min-w-0 font-strong">
            <Variation
              order={variations.findIndex(({ key }) => key === tried.variation)}
              label={tried.variation}
              isKey
            />
          </b>
        </p>
      )}
      <div className="text-12">
        <TraceView trace={tried.trace} ruleNames={names} />
      </div>
    </div>
  )
}

function errorText(code: string | null): string {
  switch (code) {
    case 'TARGETING_KEY_MISSING':
      return 'Gets the default in the code: the context lacks the attribute of the split.'
    case 'INVALID_CONTEXT':
      return 'Gets the default in the code: invalid context.'
    case 'FLAG_NOT_FOUND':
      return 'Gets the default in the code: the flag is archived.'
    default:
      return 'Gets the default in the code: the flag cannot be evaluated.'
  }
}
