import { limits } from '@telltale/core/limits'
import { Field } from '../../ui/form/field.tsx'
import { NumberedSection } from '../../ui/numbered-section.tsx'

/** Asked for where no setting says it: without it the server mails no links. */
export function AddressFields({ fault }: { fault: string | undefined }) {
  return (
    <NumberedSection number={3} title="Public address" note="Optional">
      <Field
        label="Address"
        name="publicUrl"
        type="url"
        defaultValue={window.location.origin}
        hint="Used for links in e-mails. Without it, invitations and password resets are not e-mailed."
        fault={fault}
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.publicUrlLength}
      />
    </NumberedSection>
  )
}
