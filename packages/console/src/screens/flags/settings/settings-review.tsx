import type { DescribedFlag } from '../../../api/flags.ts'
import { ownerIdsOf } from '../../../features/people/use-owners.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { DiffView } from '../../../ui/diff/diff-view.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { summaryIn } from '../environment-states.ts'
import { type FlagForm, sentOf } from '../form/flag-form.ts'

type SettingsReviewProps = {
  flag: DescribedFlag
  before: string
  after: string
  isShownAnew: boolean
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Values change in every environment at once: warn before saving. */
export function SettingsReview(props: SettingsReviewProps) {
  const { flag, before, after, isShownAnew, busy, onConfirm, onClose } = props
  const { environments } = useScope()
  const on = environments.filter(({ key }) => summaryIn(flag, key)?.enabled).map(({ name }) => name)

  return (
    <Dialog
      title={`Change ${flag.key} in every environment`}
      size="wide"
      onClose={onClose}
      onSubmit={() => !busy && onConfirm()}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button type="submit" look="primary" busy={busy} autoFocus>
            Save in every environment
          </Button>
        </>
      }
    >
      <Notice
        tone={on.length > 0 ? 'warn' : 'info'}
        title={
          on.length > 0
            ? `Users who are served a changed value get it immediately: the flag is on in ${on.join(', ')}`
            : 'The flag is off everywhere: only a changed off variation reaches users'
        }
        detail={
          isShownAnew
            ? flag.clientVisible
              ? 'Browsers no longer see the flag: they get the default in the code.'
              : 'Browsers can now read the flag: its key and its value for one identity.'
            : undefined
        }
      />
      <DiffView before={before} after={after} />
    </Dialog>
  )
}

/** A flag as lines of text, for diffs. */
export function formText(form: FlagForm, nameOf: (owner: string) => string): string {
  const sent = sentOf(form)
  return [
    `name  ${sent.name}`,
    `description  ${sent.description || 'none'}`,
    `tags  ${sent.tags.join(', ') || 'none'}`,
    `owners ${ownerIdsOf(form).map(nameOf).join(', ') || 'none'}`,
    sent.permanent ? 'permanent' : `temporary, remove by ${sent.removeBy ?? 'no date'}`,
    sent.clientVisible ? 'for browsers and servers' : 'for servers only',
    ...form.variations.flatMap(({ key, name, text }) => [
      `variation ${key || '(no key)'}${name && name !== key ? `  ${name}` : ''}`,
      ...text.split('\n').map((line) => `  ${line}`),
    ]),
    ...(form.schema.trim() === '' ? [] : ['schema', ...form.schema.split('\n').map((line) => `  ${line}`)]),
  ].join('\n')
}
