import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Names are those of the build where no map was found. */
export function MissingMapsHint() {
  const { project } = useScope()
  return (
    <Notice
      tone="plain"
      title="Functions stand as the browser names them"
      detail="No source map of these scripts was found. Uploaded maps name functions of profiles that are here already."
      action={
        <Link
          to="/p/$project/settings/source-maps"
          params={{ project }}
          search={{ upload: true }}
          className={buttonClass('normal', 'small')}
        >
          Upload source maps
        </Link>
      }
    />
  )
}
