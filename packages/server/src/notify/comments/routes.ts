import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { addComment } from './add-comment.ts'
import { deleteComment } from './delete-comment.ts'
import { listComments } from './list-comments.ts'
import { mailMentions } from './mail-mentions.ts'
import { updateComment } from './update-comment.ts'

export const commentRoutes: Handlers<Calls['comments'], Services> = {
  listComments: ({ db }, { project, query }) => listComments(db, project.row, query),
  addComment: (services, { project, caller, origin, body }) =>
    mailMentions(services, project.row, (post) =>
      addComment(services.db, origin, { ...body, project: project.row, author: caller.user, post }),
    ),
  updateComment: (services, { project, params, caller, origin, body }) =>
    mailMentions(services, project.row, (post) =>
      updateComment(services.db, origin, {
        project: project.row,
        id: params.comment,
        userId: caller.user.id,
        text: body.text,
        post,
      }),
    ),
  deleteComment: ({ db }, { project, params, caller, origin }) =>
    deleteComment(db, origin, {
      project: project.row,
      grant: project.grant,
      id: params.comment,
      userId: caller.user.id,
    }),
}
