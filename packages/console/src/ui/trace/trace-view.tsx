import type { FlagStep, MatchStep, Trace } from '@telltale/core/contract/trace'
import { Fragment, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { foundText, holdoutText, layerText, prerequisiteText, splitText, stepText } from './trace-words.ts'

type TraceViewProps = {
  trace: Trace
  masked?: readonly string[]
  /** The names of the rules, by id. */
  ruleNames?: ReadonlyMap<string, string>
}

/** Every step of one evaluation in order, down to the compared value. */
export function TraceView({ trace, masked = [], ruleNames }: TraceViewProps) {
  let rule = 0
  return (
    <ol className="grid gap-8">
      {trace.steps.map((step, index) => {
        if (step.kind === 'rule') rule++
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a trace never changes its order.
          <Fragment key={index}>
            <Step step={step} rule={`Rule ${rule}${nameOf(step, ruleNames)}`} masked={masked} />
          </Fragment>
        )
      })}
    </ol>
  )
}

function nameOf(step: FlagStep, names: TraceViewProps['ruleNames']): string {
  const name = step.kind === 'rule' ? names?.get(step.rule) : undefined
  return name ? ` “${name}”` : ''
}

function Step({ step, rule, masked }: { step: FlagStep; rule: string; masked: readonly string[] }) {
  switch (step.kind) {
    case 'enabled':
      return (
        <Line isTrue={step.enabled}>
          {step.enabled ? 'The flag is on' : 'The flag is off: serves the off variation'}
        </Line>
      )
    case 'prerequisite':
      return (
        <Line
          isTrue={step.met}
          below={step.trace && !step.met && <TraceView trace={step.trace} masked={masked} />}
        >
          Prerequisite: {prerequisiteText(step)}
        </Line>
      )
    case 'override':
      return (
        <Line isTrue={step.variation !== undefined}>
          {step.variation === undefined ? 'No override' : `Override: ${step.variation}`}
        </Line>
      )
    case 'rule':
      return (
        <Line isTrue={step.matched} below={<Matches steps={step.of} masked={masked} />}>
          {rule} {step.matched ? 'applies' : 'does not apply'}
        </Line>
      )
    case 'variation':
      return <Line isTrue>Serves {step.variation}</Line>
    case 'split':
      return <Line isTrue={step.variation !== undefined}>{splitText(step)}</Line>
    case 'holdout':
      return <Line isTrue={step.held}>{holdoutText(step)}</Line>
    case 'layer':
      return <Line isTrue={step.included}>{layerText(step)}</Line>
    case 'failed':
      return <Line isTrue={false}>{step.message}</Line>
  }
}

function Matches({ steps, masked }: { steps: readonly MatchStep[]; masked: readonly string[] }) {
  if (steps.length === 0) return null
  return (
    <ol className="grid gap-4">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a trace never changes its order.
        <Fragment key={index}>
          <Line
            isTrue={step.matched}
            quiet
            below={step.kind === 'condition' ? undefined : <Matches steps={step.of} masked={masked} />}
          >
            {stepText(step)}
            {step.kind === 'condition' && (
              <span className="text-text-3">
                {' · '}
                {masked.includes(step.attribute) ? 'value hidden from your role' : foundText(step)}
              </span>
            )}
          </Line>
        </Fragment>
      ))}
    </ol>
  )
}

type LineProps = { isTrue: boolean; quiet?: boolean; below?: ReactNode; children: ReactNode }

function Line({ isTrue, quiet, below, children }: LineProps) {
  return (
    <li className="grid min-w-0 grid-cols-[16px_minmax(0,1fr)] gap-x-8 gap-y-4">
      {isTrue ? (
        <Icon name="check" className="mt-1 size-16 text-ok" />
      ) : (
        <span aria-hidden="true" className="text-center text-text-3">
          –
        </span>
      )}
      <span className={`wrap-anywhere ${quiet || !isTrue ? 'text-text-2' : 'font-medium'}`}>
        <span className="sr-only">{isTrue ? 'Yes: ' : 'No: '}</span>
        {children}
      </span>
      {below && <div className="col-start-2 min-w-0">{below}</div>}
    </li>
  )
}
