export function People() {
  return <h1 className="text-xl font-semibold">People</h1>
}
