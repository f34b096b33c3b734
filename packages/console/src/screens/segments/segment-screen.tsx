import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { toProblem } from '../../api/problem.ts'
import { segmentQuery } from '../../api/segments.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { SegmentEditor } from './segment-editor.tsx'

export function SegmentScreen() {
  const { project } = useScope()
  const { segment: key } = useParams({ from: '/p/$project/segments/$segment' })
  const segment = useQuery(segmentQuery(project, key))
  const isMissing = segment.error !== null && toProblem(segment.error).is('not-found')

  return (
    <Screen
      title={key}
      heading={<code>{key}</code>}
      scope="none"
      crumbs={
        <Link from="/p/$project/segments/$segment" to="/p/$project/segments" className="hover:text-text">
          Segments
        </Link>
      }
    >
      {isMissing ? (
        <Empty
          title="Segment not found"
          action={
            <Link
              from="/p/$project/segments/$segment"
              to="/p/$project/segments"
              search={{ q: key }}
              className={buttonClass()}
            >
              Show all segments
            </Link>
          }
        >
          It may have been deleted. A segment in use cannot be deleted.
        </Empty>
      ) : (
        <Async of={segment}>
          {(found) => <SegmentEditor key={found.id} project={project} segment={found} />}
        </Async>
      )}
    </Screen>
  )
}
