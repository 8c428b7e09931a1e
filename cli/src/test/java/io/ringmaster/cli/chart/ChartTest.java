package io.ringmaster.cli.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.experiments.Plot;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {
  private static final Pattern START = Pattern.compile("M(-?[0-9.]+) (-?[0-9.]+)");

  private static List<Plot.Point> points(double... xyBars) {
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < xyBars.length; i += 3) {
      points.add(new Plot.Point(xyBars[i], xyBars[i + 1], xyBars[i + 2]));
    }
    return points;
  }

  private static Chart chart() {
    return new Chart("Makespan <of> \"a\" & b\u0007", "servers & more", "slots")
        .line("sjf-bco", points(10, 900, 30, 15, 700, 20, 20, 610, 10))
        .dashed("paper", points(10, 880, 0, 20, 600, 0))
        .curve("bound", points(10, 500, 0, 20, 300, 0))
        .scatter("single runs", points(10, 1000, 0, 20, 580, Double.NaN));
  }

  private static Document parse(String svg) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg)));
    } catch (Exception e) {
      throw new AssertionError("not well-formed: " + svg, e);
    }
  }

  private static List<Element> elements(Document document, String name, String ofClass) {
    List<Element> found = new ArrayList<>();
    NodeList all = document.getElementsByTagName(name);
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      if (ofClass.equals(element.getAttribute("class"))) {
        found.add(element);
      }
    }
    return found;
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  private record Box(double left, double top, double right, double bottom) {
    static Box of(Document document) {
      Element plot = elements(document, "rect", "plot").getFirst();
      double left = number(plot, "x");
      double top = number(plot, "y");
      return new Box(left, top, left + number(plot, "width"), top + number(plot, "height"));
    }

    boolean has(double x, double y) {
      return x >= left && x <= right && y >= top && y <= bottom;
    }
  }

  /** Where each path of a series begins: the middle of a marker, the end of a bar. */
  private static List<double[]> starts(Document document, String ofClass) {
    List<double[]> starts = new ArrayList<>();
    for (Element path : elements(document, "path", ofClass)) {
      if (!((Element) path.getParentNode()).getAttribute("class").equals("series")) {
        continue;
      }
      Matcher start = START.matcher(path.getAttribute("d"));
      assertThat(start.lookingAt()).isTrue();
      starts.add(
          new double[] {Double.parseDouble(start.group(1)), Double.parseDouble(start.group(2))});
    }
    return starts;
  }

  @Test
  void textsAreEscapedAndShown() {
    Document document = parse(chart().svg());
    assertThat(document.getDocumentElement().getTextContent())
        .contains("Makespan <of> \"a\" & b?", "servers & more", "slots", "single runs", "20");
    assertThat(document.getDocumentElement().getAttribute("width")).isEqualTo("720");
  }

  @Test
  void everyPointIsInsideThePlot() {
    for (Chart chart :
        List.of(chart(), chart().fromZero(), chart().logVertical(), chart().logHorizontal())) {
      Document document = parse(chart.svg());
      Box box = Box.of(document);
      // Three points and two; a curve has no markers; two points.
      assertThat(starts(document, "marker")).hasSize(7).allMatch(p -> box.has(p[0], p[1]));
      assertThat(starts(document, "bar")).hasSize(3).allMatch(p -> box.has(p[0] + 4, p[1]));
      assertThat(starts(document, "line")).hasSize(3);
    }
  }

  @Test
  void theLegendIsBetweenTitleAndPlotHoweverManySeries() {
    Chart many = new Chart("A title of so many words that ".repeat(5), "x", "y");
    for (int i = 0; i < 30; i++) {
      many.line("a policy with setting " + i, points(0, i, 0, 1, i + 1, 0));
    }
    many.line("far too long ".repeat(20), points(0, 0, 0));
    for (Chart chart : List.of(many, chart())) {
      Document document = parse(chart.svg());
      Box box = Box.of(document);
      Element legend = elements(document, "g", "legend").getFirst();
      NodeList names = legend.getElementsByTagName("text");
      assertThat(names.getLength()).isGreaterThan(3);
      double titleBottom = 0;
      NodeList texts = document.getElementsByTagName("text");
      for (int i = 0; i < texts.getLength(); i++) {
        Element text = (Element) texts.item(i);
        if (text.hasAttribute("font-weight")) {
          titleBottom = Math.max(titleBottom, number(text, "y"));
        }
      }
      for (int i = 0; i < names.getLength(); i++) {
        Element name = (Element) names.item(i);
        double width = 13 * 0.56 * name.getTextContent().length();
        assertThat(number(name, "y")).isBetween(titleBottom + 13, box.top() - 8);
        assertThat(number(name, "x") + width).isLessThan(720 - 8);
      }
      assertThat(number(document.getDocumentElement(), "height")).isGreaterThan(box.bottom() + 40);
    }
  }

  @Test
  void fromZeroBeginsAtZero() {
    assertThat(chart().svg()).doesNotContain(">0</text>");
    assertThat(chart().fromZero().svg()).contains(">0</text>");
  }

  @Test
  void theSameCallsGiveTheSameBytesAnywhere() {
    String here = chart().svg();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(chart().svg()).isEqualTo(here);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aPlotOfAnExperimentIsDrawnAsItIs() {
    Plot plot =
        new Plot(
            "makespan",
            "Makespan",
            "servers",
            "slots",
            List.of(
                new Plot.Series("first-fit", points(10, 900, 30, 20, 610, 10), false),
                new Plot.Series("sjf-bco", points(10, 800, 30, 20, 510, 10), false),
                new Plot.Series("sjf-bco", points(10, 790, 0, 20, 500, 0), true)));
    Document document = parse(Chart.of(plot).svg());
    assertThat(document.getDocumentElement().getTextContent())
        .contains("Makespan", "first-fit", "sjf-bco (paper)");
    List<Element> series = elements(document, "g", "series");
    assertThat(series).hasSize(3);
    assertThat(series.get(2).getAttribute("stroke"))
        .isEqualTo(series.get(1).getAttribute("stroke"))
        .isNotEqualTo(series.get(0).getAttribute("stroke"));
    assertThat(elements(document, "path", "line").get(2).hasAttribute("stroke-dasharray")).isTrue();
  }

  @Test
  void whatCannotBeDrawnIsLeftOutOrRefused() {
    Document empty = parse(new Chart("Nothing", "x", "y").line("none", List.of()).svg());
    assertThat(starts(empty, "marker")).isEmpty();
    List<Plot.Point> holes = points(1, 2, 0, Double.NaN, 3, 0, 4, Double.POSITIVE_INFINITY, 0);
    assertThat(starts(parse(new Chart("", "", "").scatter("some", holes).svg()), "marker"))
        .hasSize(1);
    assertThatThrownBy(() -> new Chart("", "", "").line("", points(0, 1, 0)).logHorizontal().svg())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
