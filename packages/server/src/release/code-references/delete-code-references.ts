import { problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { codeUploads } from '../../platform/engines/postgres/code-reference-schema.ts'

interface Deletion {
  project: { id: string; key: string }
  repository: string
  branch: string
}

export const deleteCodeReferences = change(async ({ db }, { project, repository, branch }: Deletion) => {
  const [gone] = await db
    .delete(codeUploads)
    .where(
      and(
        eq(codeUploads.projectId, project.id),
        eq(codeUploads.repository, repository),
        eq(codeUploads.branch, branch),
      ),
    )
    .returning({ id: codeUploads.id })
  if (gone === undefined) throw problem('not-found', 'Nothing was uploaded for this branch.')
  return {
    reply: null,
    changes: [
      {
        action: 'code-references.delete',
        entity: { kind: 'code-references', id: gone.id, name: `${repository}, ${branch}` },
        project,
        before: { repository, branch },
      },
    ],
  }
})
