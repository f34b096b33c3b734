import { Switch } from '../../ui/form/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { FieldsProps } from './environment-fields.tsx'
import { RequestRuleList } from './request-rule-list.tsx'

/** What replays contain beside the page: console messages and details of requests. */
export function ReplayDetailsFields(props: FieldsProps) {
  const { values, disabled, onChange } = props
  return (
    <Panel title="Console and network in replays">
      <div className="grid max-w-form gap-16">
        <p className="text-pretty text-text-2">
          Cookies and headers with credentials are never recorded. Passwords, tokens, card numbers and e-mail
          addresses are masked in the browser.
        </p>
        <Switch
          label="Record console messages"
          hint="With their arguments, shortened. Everyone who sees replays can read them."
          checked={values.consoleRecorded}
          onChecked={(consoleRecorded) => onChange({ consoleRecorded })}
          disabled={disabled}
        />
        <RequestRuleList {...props} />
        <p className="text-pretty text-12 text-text-3">
          Open pages keep their settings. Pages opened later use the new ones within five minutes.
        </p>
      </div>
    </Panel>
  )
}
