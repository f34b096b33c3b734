// Loaded when somebody goes there.

export async function loader() {
  return (await fetch('/api/products')).json()
}

export function Component() {
  return <h1>/products</h1>
}
