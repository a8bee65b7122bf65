// A runbook's text as elements. The page has its heading already; links to other runbooks stay in the dashboard.

import { Fragment } from "react";
import { type Block, parseRunbook, type Span } from "../runbooks/parse-runbook.ts";
import { PageLink } from "./page-link.tsx";

export function RunbookText({ markdown }: { readonly markdown: string }) {
  const blocks = parseRunbook(markdown).filter((block) => block.kind !== "heading" || block.level > 1);
  return (
    <div className="runbook-text">
      {blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a page never changes its order
        <BlockElement key={index} block={block} />
      ))}
    </div>
  );
}

function BlockElement({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "heading":
      return block.level === 2 ? (
        <h2>
          <Spans spans={block.spans} />
        </h2>
      ) : (
        <h3>
          <Spans spans={block.spans} />
        </h3>
      );
    case "paragraph":
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      );
    case "code":
      return <pre className="commands">{block.text}</pre>;
    case "list": {
      const items = block.items.map((spans) => (
        <li key={spans.map(({ text }) => text).join("")}>
          <Spans spans={spans} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
  }
}

function Spans({ spans }: { readonly spans: readonly Span[] }) {
  return spans.map((span, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- spans never change their order
    <Fragment key={index}>
      <SpanElement span={span} />
    </Fragment>
  ));
}

function SpanElement({ span }: { readonly span: Span }) {
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return <code>{span.text}</code>;
    case "strong":
      return <strong>{span.text}</strong>;
    case "link": {
      const reason = /^(?:\.\/)?([A-Z]\w+)\.md(?:#.*)?$/.exec(span.href)?.[1];
      if (reason !== undefined) return <PageLink to={{ page: "runbook", reason }}>{span.text}</PageLink>;
      if (/^https?:/.test(span.href)) return <a href={span.href}>{span.text}</a>;
      // A file of the repository that this server does not serve.
      return (
        <>
          {span.text} (<code>{span.href}</code>)
        </>
      );
    }
  }
}
