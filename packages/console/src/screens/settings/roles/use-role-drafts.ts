import { useMutation } from '@tanstack/react-query'
import type { ProjectPermission } from '@telltale/core/permissions'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { type Role, updateRole } from '../../../api/roles.ts'

type Draft = ReadonlySet<ProjectPermission>

/** Edits of own roles in the matrix, saved role by role over the version they began with. */
export function useRoleDrafts(
  roles: readonly Role[],
  { project, onSaved }: { project: string; onSaved: () => Promise<void> },
) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  const changed = roles.filter(({ key, permissions }) => {
    const draft = drafts.get(key)
    return draft !== undefined && !isSameSet(draft, permissions)
  })
  const saving = useMutation({
    mutationFn: async () => {
      for (const { key, version } of changed) {
        const permissions = [...(drafts.get(key) ?? [])]
        await updateRole({ project, role: key, change: { permissions }, ifMatch: version ?? undefined })
      }
    },
    onSuccess: () => setDrafts(new Map()),
    // Also after a refusal: roles before the refused one are saved.
    onSettled: onSaved,
  })

  function toggle(role: Role, permission: ProjectPermission): void {
    const next = new Set(drafts.get(role.key) ?? role.permissions)
    if (!next.delete(permission)) next.add(permission)
    saving.reset()
    setDrafts(new Map([...drafts, [role.key, next]]))
  }

  return {
    /** The roles as they would be. */
    shown: roles.map((role) => ({ ...role, permissions: [...(drafts.get(role.key) ?? role.permissions)] })),
    isDirty: changed.length > 0,
    isSaving: saving.isPending,
    problem: saving.error && toProblem(saving.error),
    toggle,
    save: () => {
      if (changed.length > 0 && !saving.isPending) saving.mutate()
    },
    discard: () => {
      saving.reset()
      setDrafts(new Map())
    },
  }
}

function isSameSet(draft: Draft, saved: readonly ProjectPermission[]): boolean {
  return draft.size === saved.length && saved.every((permission) => draft.has(permission))
}
