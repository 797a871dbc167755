export function Sources() {
  return <p>Sources</p>;
}
