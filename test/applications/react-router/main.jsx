// React Router with data: loaders, a lazy route, a redirect, and error boundaries that report what they caught.

import { init } from '@telltale/browser'
import { FlagsProvider, rootErrorHandlers, useFlagDetails, useReportError } from '@telltale/browser/react'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  Link,
  Outlet,
  RouterProvider,
  redirect,
  useLoaderData,
  useRouteError,
} from 'react-router'
import * as webVitals from 'web-vitals'
import { recordRead, startActions, startVitals, visit } from '../shared/actions.js'
import { buttons, orders, products } from '../shared/routes.js'

const { url, key } = window.settings
const app = init({ url, key, version: '1.0.0', attributes: { visit } })
record('load')
startVitals(webVitals)
startActions(app)

function Flag({ name, fallback }) {
  const details = useFlagDetails(name, fallback)
  recordRead(name, details)
  return <span>{`${name}=${details.variant} `}</span>
}

function Layout() {
  useEffect(() => {
    document.documentElement.dataset.ready = 'yes'
  }, [])
  return (
    <>
      <nav>
        {['/', '/products', '/account', '/old', '/broken', '/crash'].map((to) => (
          <Link key={to} to={to}>
            {to}
          </Link>
        ))}
        {products.map((id) => (
          <Link key={id} to={`/products/${id}`}>{`/products/${id}`}</Link>
        ))}
        {orders.map((id) => (
          <Link key={id} to={`/orders/${id}`}>{`/orders/${id}`}</Link>
        ))}
        <a href="/account" target="_blank" rel="noopener opener">
          new tab
        </a>
      </nav>
      {buttons.map((name) => (
        <button key={name} type="button" data-do={name}>
          {name}
        </button>
      ))}
      <Outlet />
    </>
  )
}

function Page({ title }) {
  const data = useLoaderData()
  return (
    <>
      <h1>{title ?? data?.path}</h1>
      <Flag name="checkout" fallback={false} />
    </>
  )
}

/** What a route's loader or component threw. */
function Failed() {
  const error = useRouteError()
  useEffect(() => {
    record('error', { message: error.message, handled: true })
  }, [error])
  useReportError(app, error)
  return <h1>failed</h1>
}

function Crash() {
  throw new Error('the shelf is empty')
}

const ask = async (path) => {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return response.json()
}

const router = createBrowserRouter([
  {
    path: '/',
    element: <Layout />,
    hydrateFallbackElement: <p>wait</p>,
    children: [
      { index: true, element: <Page title="/" />, loader: () => ask('/api/stock') },
      { path: 'products', lazy: () => import('./products.jsx') },
      {
        path: 'products/:id',
        element: <Page />,
        loader: ({ params }) =>
          ask(`/api/products/${params.id}`).then(() => ({ path: `/products/${params.id}` })),
      },
      {
        path: 'orders/:id',
        element: <Page />,
        loader: ({ params }) =>
          ask(`/api/orders/${params.id}`).then(() => ({ path: `/orders/${params.id}` })),
      },
      {
        path: 'account',
        element: (
          <>
            <Page title="/account" />
            <Flag name="banner" fallback="none" />
          </>
        ),
      },
      { path: 'old', loader: () => redirect('/products') },
      { path: 'broken', element: <Page />, loader: () => ask('/api/broken'), errorElement: <Failed /> },
      { path: 'crash', element: <Crash />, errorElement: <Failed /> },
    ],
  },
])

createRoot(document.getElementById('root'), rootErrorHandlers(app)).render(
  <FlagsProvider flags={app}>
    <RouterProvider router={router} />
  </FlagsProvider>,
)
