export function Audit() {
  return <h1 className="text-xl font-semibold">Audit</h1>
}
