import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Role, rolesQuery } from '../../../api/roles.ts'
import { useMay } from '../../../shell/account.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { useNewButton } from '../../../shell/use-new-button.tsx'
import { DocsLink } from '../../../ui/docs-link.tsx'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Async } from '../../../ui/states.tsx'
import { DeleteRole } from './delete-role.tsx'
import { NewRole, RenameRole } from './role-dialog.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import { useRoleDrafts } from './use-role-drafts.ts'

type Open = { kind: 'rename' | 'delete'; role: Role }

/** Every permission by role. Own roles are changed in the matrix. */
export function RolesScreen() {
  const { project } = useScope()
  const roles = useQuery(rolesQuery(project))
  const mayManage = useMay('members.manage')
  const { new: isNew } = useSearch({ from: '/p/$project/settings/roles' })
  const navigate = useNavigate({ from: '/p/$project/settings/roles' })
  const [open, setOpen] = useState<Open>()
  const setNew = (on: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, new: on }), replace: on === undefined, resetScroll: false })
  const newButton = useNewButton({
    label: 'New role',
    mayCreate: mayManage,
    missing: 'admins create roles',
    create: () => setNew(true),
  })
  return (
    <SectionScreen
      of="settings"
      title="Roles"
      actions={newButton}
      lead={
        <>
          What each role allows. Members may have another role in single environments.{' '}
          <DocsLink page="guides/roles">Read the guide</DocsLink>.
        </>
      }
    >
      <MayNotice permission="members.manage" />
      <Async of={roles}>{(all) => <Matrix roles={all} mayManage={mayManage} onOpen={setOpen} />}</Async>
      {isNew && mayManage && <NewRole roles={roles.data ?? []} onClose={() => setNew(undefined)} />}
      {open?.kind === 'rename' && <RenameRole role={open.role} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'delete' && (
        <DeleteRole role={open.role} roles={roles.data ?? []} onClose={() => setOpen(undefined)} />
      )}
    </SectionScreen>
  )
}

type MatrixProps = { roles: readonly Role[]; mayManage: boolean; onOpen: (open: Open) => void }

function Matrix({ roles, mayManage, onOpen }: MatrixProps) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const drafts = useRoleDrafts(roles, {
    project,
    onSaved: () => queryClient.invalidateQueries({ queryKey: rolesQuery(project).queryKey }),
  })
  return (
    <form
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        drafts.save()
      }}
    >
      <ProblemNotice problem={drafts.problem} />
      <RoleMatrix
        roles={drafts.shown}
        mayManage={mayManage}
        onToggle={drafts.toggle}
        onRename={(role) => onOpen({ kind: 'rename', role })}
        onDelete={(role) => onOpen({ kind: 'delete', role })}
      />
      <UnsavedChanges
        isDirty={drafts.isDirty}
        busy={drafts.isSaving}
        verb="Save roles"
        onDiscard={drafts.discard}
      />
    </form>
  )
}
