import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Names are minified where no source map was found. */
export function MissingMapsHint() {
  const { project } = useScope()
  return (
    <Notice
      tone="plain"
      title="Minified function names"
      detail="No source maps found for these scripts. Maps you upload also apply to existing profiles."
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
