import { useQuery } from '@tanstack/react-query'
import { flagConfigQuery } from '../../api/flag-configs.ts'
import type { ExplainedFlag, Identity } from '../../api/identities.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBox } from '../../ui/copy.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { TraceView } from '../../ui/trace/trace-view.tsx'
import { whyText } from '../../ui/trace/trace-words.ts'
import { useMayOverride } from './use-may-override.ts'

const reasonWords: Readonly<Record<string, string>> = {
  STATIC: 'the same for everyone',
  DEFAULT: 'no rule applies',
  TARGETING_MATCH: 'a rule or an override applies',
  SPLIT: 'percentage split',
  DISABLED: 'off',
  ERROR: 'error',
}

type FlagPeekProps = {
  explained: ExplainedFlag
  identity: Identity
  onOverride: () => void
  onClose: () => void
}

/** Every evaluation step that led to the value. */
export function FlagPeek({ explained, identity, onOverride, onClose }: FlagPeekProps) {
  const { may, reason } = useMayOverride()
  const { flag, value, variation, overridden } = explained
  const ruleNames = useRuleNames(flag)

  return (
    <Peek
      title={<code>{flag}</code>}
      open={
        <FlagLink flag={flag}>
          Open<span className="sr-only"> flag</span>
        </FlagLink>
      }
      onClose={onClose}
    >
      <div className="grid gap-16">
        <section className="grid gap-8">
          <h3 className="font-strong">
            {variation === null ? 'No value' : <code>{variation}</code>}
            <span className="font-regular text-text-2"> · {whyText(explained.trace)}</span>
          </h3>
          {value !== undefined && (
            <CodeBox code={JSON.stringify(value, null, 2)} label={`Value of ${flag}`} />
          )}
          <p className="text-12 text-text-3">
            Sent to clients <code>{explained.reason}</code>
            {reasonWords[explained.reason] && `: ${reasonWords[explained.reason]}`}.
          </p>
        </section>
        <section className="grid gap-8">
          <h3 className="font-strong">Evaluation</h3>
          <TraceView trace={explained.trace} masked={identity.masked} ruleNames={ruleNames} />
        </section>
        <div className="grid justify-items-start gap-6">
          <Button icon="edit" onClick={onOverride} disabled={!may}>
            {overridden ? 'Change override' : 'Override this flag'}
          </Button>
          {reason && <p className="text-12 text-text-3">{reason}</p>}
        </div>
      </div>
    </Peek>
  )
}

/** The names of the rules, by id. Without a response they keep their numbers. */
function useRuleNames(flag: string): ReadonlyMap<string, string> {
  const { project, environment } = useScope()
  const config = useQuery(flagConfigQuery({ project, env: environment.key, flag }))
  return new Map(config.data?.rules.map(({ id, description }) => [id, description]))
}
