package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.ApplicationDefinition.RecordType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a command is refused for before anything is drawn. */
class CheckedCommandTest {

    private static final Schema.Index SCHEMA = new Schema.Index(Deploying.first(
            1,
            "shop",
            ApplicationDefinition.ofPartitions(1)
                    .kind("shop", "RecordID", 1_000_001)
                    .kind("shop", "CRecordID", 200_001, 900_000)
                    .kind("depot", "Boxes", 200_001)
                    .kind("bare")
                    .type("order", RecordKind.ODOC)
                    .type("item", RecordKind.ORECORD)
                    .type("customer", RecordKind.CDOC)
                    .type("address", RecordKind.CRECORD)
                    .type("bill", RecordKind.WDOC)
                    .type("line", RecordKind.WRECORD)
                    .type("box", new RecordType(RecordKind.WDOC, Optional.of("Boxes"), false))
                    .singleton("settings")
                    .singleton("theme")));
    private static final Command SHOP = Command.in("shop", 1);

    private static CheckedCommand check(Command command) {
        return CheckedCommand.of(command, SCHEMA);
    }

    private static void refused(ErrorCode code, String what, Command command) {
        assertThatThrownBy(() -> check(command)).isInstanceOfSatisfying(EventLogException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e).hasMessageContaining(what);
        });
    }

    private static NewRecord of(String type, long id) {
        return NewRecord.of(type, id);
    }

    @Test
    void of_aCommandThatSaysNothing_isABadRequest() {
        refused(ErrorCode.BAD_REQUEST, "an argument, or CUDs", SHOP);
        refused(
                ErrorCode.BAD_REQUEST,
                "no kind of this name: shed",
                Command.in("shed", 1).create(of("customer", 1)));
    }

    @Test
    void of_aTypeThatIsNotThere_isAnUnknownType() {
        refused(ErrorCode.UNKNOWN_TYPE, "no type of this name: Order", SHOP.argument(of("Order", 1)));
        refused(ErrorCode.UNKNOWN_TYPE, "no type of this name: cow", SHOP.create(of("cow", 1)));
        refused(
                ErrorCode.UNKNOWN_TYPE,
                "no type of this name: cow",
                SHOP.argument(of("order", 1).child("items", of("cow", 2))));
        refused(
                ErrorCode.UNKNOWN_TYPE,
                "no type of this name: cow",
                SHOP.update(new RecordUpdate(Optional.of("cow"), 300_000, Fields.empty())));
    }

    /** It was told as a type that is not there. */
    @Test
    void of_aTypeWhoseSequenceTheKindLacks_isABadRequest() {
        refused(ErrorCode.BAD_REQUEST, "the kind has no sequence Boxes", SHOP.create(of("box", 1)));
        refused(
                ErrorCode.BAD_REQUEST,
                "the kind has no sequence RecordID",
                Command.in("bare", 1).create(of("bill", 1)));
        refused(
                ErrorCode.BAD_REQUEST,
                "CRecordID or RecordID",
                Command.in("bare", 1).create(of("customer", 1)));
        assertThat(check(Command.in("bare", 1).create(of("settings", 1))).created())
                .hasSize(1);
    }

    @Test
    void of_aRecordInTheWrongPlace_isABadRequest() {
        for (String type : List.of("item", "customer", "address", "bill", "line", "settings")) {
            refused(ErrorCode.BAD_REQUEST, "an argument is an ODoc", SHOP.argument(of(type, 1)));
        }
        for (String type : List.of("order", "customer", "address", "bill", "line", "settings")) {
            refused(
                    ErrorCode.BAD_REQUEST,
                    "a child of an argument is an ORecord",
                    SHOP.argument(of("order", 1).child("items", of("item", 2).child("parts", of(type, 3)))));
        }
        for (String type : List.of("order", "item")) {
            refused(ErrorCode.BAD_REQUEST, "a CUD is of a CDoc", SHOP.create(of(type, 1)));
            refused(
                    ErrorCode.BAD_REQUEST,
                    "never changes",
                    SHOP.update(new RecordUpdate(Optional.of(type), 300_000, Fields.empty())));
        }
        refused(
                ErrorCode.BAD_REQUEST,
                "only the records of an argument have children",
                SHOP.create(of("bill", 1).child("lines", of("line", 2))));
    }

    @Test
    void of_anArgument_mayBe16Deep() {
        NewRecord root = of("item", 16);
        for (int id = 15; id > 1; id--) {
            root = of("item", id).child("parts", root);
        }
        assertThat(check(SHOP.argument(of("order", 1).child("parts", root))).created())
                .hasSize(16);
        refused(
                ErrorCode.BAD_REQUEST,
                "at most 16 deep",
                SHOP.argument(of("order", 1).child("parts", of("item", 17).child("parts", root))));
    }

    @Test
    void of_anIdThatIsThereTwice_isABadRawId() {
        refused(ErrorCode.BAD_RAW_ID, "twice: 1", SHOP.create(of("customer", 1)).create(of("bill", 1)));
        refused(
                ErrorCode.BAD_RAW_ID,
                "twice: 2",
                SHOP.argument(of("order", 1).child("items", of("item", 2))).create(of("bill", 2)));
        refused(
                ErrorCode.BAD_RAW_ID,
                "twice: 300000",
                SHOP.create(of("customer", 300_000)).update(RecordUpdate.of(300_000)));
        refused(
                ErrorCode.BAD_RAW_ID,
                "twice: 300000",
                SHOP.update(RecordUpdate.of(300_000)).update(RecordUpdate.of(300_000)));
        refused(
                ErrorCode.BAD_RAW_ID,
                "one settings at most",
                SHOP.create(of("settings", 1)).create(of("settings", 65_536)));
        refused(ErrorCode.BAD_RAW_ID, "not by a raw one", SHOP.update(RecordUpdate.of(65_535)));
        assertThatThrownBy(() -> of("customer", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RecordUpdate.of(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void of_anIdFromOutside_mustBeOneOfItsSequenceOrOfNone() {
        assertThat(check(SHOP.create(of("customer", 900_000))).created()).hasSize(1);
        assertThat(check(SHOP.create(of("bill", 1_000_001))).created()).hasSize(1);
        refused(ErrorCode.OUT_OF_RANGE, "another sequence may give it later", SHOP.create(of("bill", 950_000)));
        assertThat(check(SHOP.create(of("customer", 200_000))).created()).hasSize(1);
        refused(ErrorCode.OUT_OF_RANGE, "above the max of CRecordID", SHOP.create(of("customer", 900_001)));
        refused(ErrorCode.OUT_OF_RANGE, "one that CRecordID gives", SHOP.create(of("bill", 900_000)));
        refused(ErrorCode.OUT_OF_RANGE, "one that CRecordID gives", SHOP.argument(of("order", 200_001)));
        refused(ErrorCode.BAD_RAW_ID, "those of singletons", SHOP.create(of("customer", 65_536)));
        refused(ErrorCode.BAD_RAW_ID, "those of singletons", SHOP.argument(of("order", 65_537)));
        refused(ErrorCode.BAD_RAW_ID, "of types to come too", SHOP.create(of("customer", 66_047)));
        assertThat(check(SHOP.create(of("customer", 66_048))).created()).hasSize(1);
        refused(ErrorCode.BAD_RAW_ID, "a raw id or its own, 65536", SHOP.create(of("settings", 65_537)));
        refused(ErrorCode.BAD_RAW_ID, "a raw id or its own, 65536", SHOP.create(of("settings", 300_000)));
        assertThat(check(SHOP.create(of("settings", 65_536))).created()).hasSize(1);
    }

    @Test
    void of_aReferenceToARawId_mustBeToARecordOfTheCommandAtAnyDepth() {
        Command good = SHOP.argument(of("order", 1)
                        .with("later", Reference.to(3))
                        .child("items", of("item", 2).with("up", List.of(Map.of("to", Reference.to(1))))))
                .create(of("customer", 3).with("down", Reference.to(2)).with("old", Reference.to(9_999_999)))
                .update(RecordUpdate.of(1_000_005).with("deep", Map.of("list", List.of(List.of(Reference.to(3))))));
        assertThat(check(good).created()).hasSize(3);
        refused(ErrorCode.BAD_RAW_ID, "not there: 9", good.create(of("bill", 4).with("x", List.of(Reference.to(9)))));
        refused(
                ErrorCode.BAD_RAW_ID,
                "not there: 9",
                SHOP.argument(of("order", 1).child("items", of("item", 2).with("x", Map.of("y", Reference.to(9))))));
        refused(
                ErrorCode.BAD_RAW_ID,
                "not there: 9",
                SHOP.update(RecordUpdate.of(1_000_005).with("x", Reference.to(9))));
    }

    @Test
    void of_aKey_hasFrom1To200VisibleAsciiCharacters() {
        Command command = SHOP.create(of("bill", 1));
        assertThat(check(command.key("!~" + "k".repeat(198))).command().key()).hasSize(200);
        for (String key : List.of("k".repeat(201), "a b", "é", "a\n", "\u007f")) {
            refused(ErrorCode.BAD_REQUEST, "visible ASCII", command.key(key));
        }
    }

    @Test
    void created_isTheArgumentDepthFirstAndThenTheCuds() {
        Command command = SHOP.create(of("bill", 9))
                .argument(of("order", 8)
                        .child("b", of("item", 7).child("x", of("item", 6)))
                        .child("a", of("item", 5))
                        .child("b", of("item", 4)))
                .create(of("settings", 3));
        assertThat(check(command).created().stream().map(each -> each.record().id()))
                .containsExactly(8L, 7L, 6L, 4L, 5L, 9L, 3L);
    }

    @Test
    void of_tooManyRecords_isABadRequest() {
        NewRecord root = of("order", 1);
        List<NewRecord> items =
                LongStream.range(2, 10_002).mapToObj(id -> of("item", id)).toList();
        refused(
                ErrorCode.BAD_REQUEST,
                "at most 10000 records",
                SHOP.argument(new NewRecord("order", 1, root.fields(), Map.of("items", items))));
    }

    @Test
    void digest_isThatOfTheCommandAndNotOfItsKey() {
        Command command = SHOP.create(of("bill", 1).with("a", 1)).key("k");
        String digest = check(command).digest();
        assertThat(check(command.key("other")).digest()).isEqualTo(digest);
        assertThat(check(SHOP.create(of("bill", 1).with("a", 2))).digest()).isNotEqualTo(digest);
        assertThat(check(SHOP.create(of("bill", 2).with("a", 1))).digest()).isNotEqualTo(digest);
        assertThat(check(SHOP.create(of("line", 1).with("a", 1))).digest()).isNotEqualTo(digest);
        assertThat(check(SHOP.create(of("bill", 1).with("a", List.of(1)))).digest())
                .isNotEqualTo(digest);
    }
}
