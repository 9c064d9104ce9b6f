export function Keys() {
  return <h1 className="text-xl font-semibold">Keys</h1>
}
