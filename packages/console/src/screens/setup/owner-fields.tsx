import { limits } from '@telltale/core/limits'
import { Field } from '../../ui/form/field.tsx'
import { NumberedSection } from '../../ui/numbered-section.tsx'
import type { Faults } from './setup-draft.ts'

export function OwnerFields({ faults }: { faults: Faults }) {
  return (
    <>
      <NumberedSection number={1} title="Owner">
        <Field
          label="Your name"
          name="name"
          fault={faults.name}
          autoComplete="name"
          maxLength={limits.nameLength}
          required
        />
        <Field
          label="E-mail"
          name="email"
          type="email"
          fault={faults.email}
          autoComplete="username"
          maxLength={limits.emailLength}
          required
        />
        <Field
          label="Password"
          name="password"
          type="password"
          hint={`At least ${limits.passwordMinimum} characters. A few words are easier to remember than symbols.`}
          fault={faults.password}
          autoComplete="new-password"
          maxLength={limits.passwordMaximum}
          required
        />
      </NumberedSection>
      <NumberedSection number={2} title="First project" note="Optional">
        <Field
          label="Project name"
          name="project"
          hint="Usually one application or website. Created with environments and keys."
          fault={faults.project}
          autoComplete="off"
          maxLength={limits.nameLength}
        />
      </NumberedSection>
    </>
  )
}
