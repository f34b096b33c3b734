import { ErrorBoundary, FlagsProvider } from '@telltale/browser/react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './shop.css'
import './pages.css'
import { telltale } from './telltale.ts'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <FlagsProvider flags={telltale}>
      <ErrorBoundary
        telltale={telltale}
        fallback={(_error, retry) => (
          <p className="sorry">
            Something broke.{' '}
            <button type="button" onClick={retry}>
              Try again
            </button>
          </p>
        )}
      >
        <App />
      </ErrorBoundary>
    </FlagsProvider>,
  )
}
