// The page for an address that does not exist.

import { PageHeading } from "../components/page-heading.tsx";
import { PageLink } from "../components/page-link.tsx";

export function NotFoundPage({ path }: { readonly path: string }) {
  return (
    <>
      <PageHeading title="Nothing is here" />
      <p>
        The dashboard has no page at <code>{path}</code>.
      </p>
      <p>
        <PageLink to={{ page: "overview", filter: {} }}>Go to the overview</PageLink>
      </p>
    </>
  );
}
