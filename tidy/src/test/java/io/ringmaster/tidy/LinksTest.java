package io.ringmaster.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.junit.jupiter.api.Test;

/** A link in our documentation leads somewhere. Links to other sites are not followed. */
class LinksTest {
  private static final Pattern OTHER_SITE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.*");
  private static final Pattern NOT_IN_ANCHOR = Pattern.compile("[^\\p{L}\\p{N}_\\- ]");

  private final Map<Path, Set<String>> anchorsByPage = new HashMap<>();

  @Test
  void everyRelativeLinkResolves() {
    List<String> broken = new ArrayList<>();
    for (Path page : Repository.files()) {
      if (!isMarkdown(page)) {
        continue;
      }
      for (String link : links(page)) {
        if (!OTHER_SITE.matcher(link).matches() && !resolves(page, link)) {
          broken.add(Repository.relative(page) + ": " + link);
        }
      }
    }
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  private boolean resolves(Path page, String link) {
    URI uri = URI.create(link.replace(" ", "%20"));
    String path = uri.getPath();
    Path target;
    if (path.isEmpty()) {
      target = page;
    } else if (path.startsWith("/")) {
      target = Repository.ROOT.resolve(path.substring(1)).normalize();
    } else {
      target = page.resolveSibling(path).normalize();
    }
    // A link out of the repository works on its author's machine only.
    if (!target.startsWith(Repository.ROOT) || !Files.exists(target)) {
      return false;
    }
    String anchor = uri.getFragment();
    return anchor == null
        || !isMarkdown(target)
        || anchorsByPage.computeIfAbsent(target, LinksTest::anchors).contains(anchor);
  }

  private static List<String> links(Path page) {
    List<String> links = new ArrayList<>();
    parse(page)
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Link link) {
                links.add(link.getDestination());
                visitChildren(link);
              }

              @Override
              public void visit(Image image) {
                links.add(image.getDestination());
                visitChildren(image);
              }
            });
    return links;
  }

  /** The anchors that GitHub gives the page's headings. */
  private static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    parse(page)
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Heading heading) {
                String text = text(heading).toLowerCase(Locale.ROOT);
                String base = NOT_IN_ANCHOR.matcher(text).replaceAll("").replace(' ', '-');
                String anchor = base;
                for (int i = 1; !anchors.add(anchor); i++) {
                  anchor = base + "-" + i;
                }
              }
            });
    return anchors;
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text part) {
            text.append(part.getLiteral());
          }

          @Override
          public void visit(Code part) {
            text.append(part.getLiteral());
          }
        });
    return text.toString();
  }

  private static Node parse(Path page) {
    return Parser.builder().build().parse(Repository.read(page));
  }

  private static boolean isMarkdown(Path file) {
    return Repository.name(file).endsWith(".md");
  }
}
