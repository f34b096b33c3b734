import { Link } from '@tanstack/react-router'
import { Radio, Switch } from '../../ui/form/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { FieldsProps } from './environment-fields.tsx'
import { PrivacyRuleList } from './privacy-rule-list.tsx'

const privacyLevels = [
  { value: 'mask-all', label: 'Mask everything', hint: 'Masks all text and inputs in replays.' },
  { value: 'mask-inputs', label: 'Mask inputs', hint: 'Keeps text, masks inputs.' },
  {
    value: 'allow',
    label: 'Mask nothing',
    hint: 'Records text and inputs unmasked, except passwords, payment cards and one-time codes.',
  },
] as const

/** What replays show of a page. */
export function ReplayPrivacyFields(props: FieldsProps) {
  const { env, values, disabled, onChange } = props
  return (
    <Panel title="Replay privacy">
      <div className="grid max-w-form gap-16">
        <Radio
          label="Privacy level of replays"
          choices={privacyLevels.map((level) => ({ ...level, disabled }))}
          value={values.privacyLevel}
          onValue={(privacyLevel) => onChange({ privacyLevel })}
        />
        <Switch
          label="Allow unmasking"
          hint={
            <>
              With <em>Mask everything</em>, replays show the text of elements that your pages mark with{' '}
              <code>data-telltale-unmask</code> or that an Unmask rule matches. Form fields stay masked. If
              off, neither has an effect.
            </>
          }
          checked={values.unmaskAllowed}
          onChecked={(unmaskAllowed) => onChange({ unmaskAllowed })}
          disabled={disabled}
        />
        <PrivacyRuleList {...props} />
        <p className="text-pretty text-12 text-text-3">
          Open pages keep their settings. Pages opened later use the new ones within five minutes. To preview
          them, open such a page with the toolbar, choose <em>Record this tab</em> in its tab Session, and
          open your session from there; or play it in{' '}
          <Link
            to="/p/$project/sessions"
            from="/p/$project"
            search={{ env, q: 'replay:true' }}
            className="underline"
          >
            the latest sessions with a replay
          </Link>
          .
        </p>
      </div>
    </Panel>
  )
}
